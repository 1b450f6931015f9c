import type { SandboxSettings } from './config.ts';
import type { RunningSandbox } from './shell/index.ts';

/**
 * Starts a sandbox whose first answer is as quick as any later one. The shell is loaded here and not with the room: its HTTP and
 * WebSocket libraries take longer to load than everything else, and who works with the core alone needs none of them.
 * @throws ConfigurationError with every problem of the settings at once, or when the address cannot be listened on, or when
 *   the store's file cannot be used
 */
export async function startSandbox(settings: SandboxSettings): Promise<RunningSandbox> {
  const { startWarm } = await import('./shell/index.ts');
  return startWarm(settings);
}
