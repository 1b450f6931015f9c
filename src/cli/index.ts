/**
 * cli/ knows what people type and what they see: commands, switches, examples, exit codes, where text goes. Machines read
 * stdout (`--json`), people read stderr or a terminal.
 * It must not know how anything is done: each command calls one function of run/ (or of the room that it shows).
 */
export { explain, runCli } from './cli.ts';
