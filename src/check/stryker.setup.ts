import fc from 'fast-check';

/** The same examples for every mutant, no search for smaller ones; and what is loaded is loaded without the mutant. */
fc.configureGlobal({ seed: 1, endOnFailure: true });
const stryker = (globalThis as { __stryker__?: { activeMutant?: string } }).__stryker__;
if (stryker) delete stryker.activeMutant;
