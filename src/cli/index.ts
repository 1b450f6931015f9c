/**
 * cli/ knows the user interface: commands, switches, examples, exit codes, and where text goes. Machines read stdout (`--json`),
 * people read stderr or a terminal. It must not know how anything is done: each command calls one function of run/ (or of the
 * room whose content it shows).
 */
export { explain, runCli } from './cli.ts';
