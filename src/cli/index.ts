/**
 * cli/ is the user interface: commands, switches, examples, exit codes and output. Machines read stdout (`--json`), people read
 * stderr or a terminal. It must not contain logic of its own: each command calls one function of run/ or of the room whose content
 * it shows. arguments/ finds mistakes in a command line, options/ has the switches, commands/ a file for each command, output/ what people
 * and machines read, failures/ what an error says; whole/ tests all of it from outside.
 */
export { runCli } from './cli.ts';
export { explain } from './failures/explain.ts';
