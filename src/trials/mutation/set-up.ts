import fc from 'fast-check';

/** Every mutant gets the same examples, without shrinking. Modules are loaded without the mutant. */
fc.configureGlobal({ seed: 1, endOnFailure: true });
const stryker = (globalThis as { __stryker__?: { activeMutant?: string } }).__stryker__;
if (stryker) delete stryker.activeMutant;
