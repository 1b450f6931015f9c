/**
 * cli/ is the user interface: commands, switches, examples, exit codes and output. Machines read stdout (`--json`), people read
 * stderr or a terminal. It must not contain logic of its own: each command calls one function of run/ or of the room whose content
 * it shows.
 */
export { runCli } from './cli.ts';
export { explain } from './explain.ts';
