import { microsFromMillis } from '../../base/index.ts';
import type { SandboxConfig } from '../config/members.ts';
import type { Breakage } from './defect.ts';
import { defects } from './registry.ts';

/** Changes nothing. */
const nothing: Breakage = {
  rules: (honest) => honest,
  store: (honest) => honest,
  handlers: (honest) => honest,
  decide: (honest) => honest,
};

/** Combines the chosen defects in their order: each wraps the result of those before it. */
export function breakageOf(config: SandboxConfig): Breakage {
  const circumstances = { config, lagUs: microsFromMillis(config.defectLag) };
  return config.defects
    .map((id): Breakage => ({ ...nothing, ...defects[id].breaks(circumstances) }))
    .reduce(
      (inner, outer) => ({
        rules: (honest) => outer.rules(inner.rules(honest)),
        store: (honest) => outer.store(inner.store(honest)),
        handlers: (honest) => outer.handlers(inner.handlers(honest)),
        decide: (honest) => outer.decide(inner.decide(honest)),
      }),
      nothing,
    );
}
