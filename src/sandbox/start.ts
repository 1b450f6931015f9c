import type { SandboxSettings } from './config.ts';
import type { RunningSandbox } from './shell/index.ts';

/**
 * Starts a sandbox after a warm-up, so that its first answer is as fast as later ones. Loads the shell only now: its HTTP and
 * WebSocket libraries take longer to load than everything else, and users of the core alone do not need them.
 * @throws ConfigurationError with every problem of the settings, or if the address or the store's file cannot be used
 */
export async function startSandbox(settings: SandboxSettings): Promise<RunningSandbox> {
  const { startWarm } = await import('./shell/index.ts');
  return startWarm(settings);
}
