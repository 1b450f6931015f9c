import { isRecord, type Millis, parseDuration } from '../../base/index.ts';
import { type Gate, type GateOptions, gateDemand, gateName, parseGate } from './gate.ts';

/** A gate as stored in the journal's header; durations in milliseconds. */
interface RecordedGate {
  readonly threshold: string;
  readonly abortOnFail?: true;
  readonly delayAbortEval?: number;
  readonly window?: number;
  readonly allowNoData?: true;
}
export type RecordedGates = Readonly<Record<string, readonly RecordedGate[]>>;

/** Converts gates to plain data, grouped by name. */
export function recordGates(gates: readonly Gate[]): RecordedGates {
  const names = [...new Set(gates.map(gateName))];
  return Object.fromEntries(names.map((name) => [name, gates.filter((gate) => gateName(gate) === name).map(recorded)]));
}

function recorded(gate: Gate): RecordedGate {
  const { abortOnFail, delayAbortEval, window, allowNoData } = gate.options;
  return {
    threshold: gateDemand(gate),
    ...(abortOnFail && { abortOnFail }),
    ...(delayAbortEval !== undefined && { delayAbortEval }),
    ...(window !== undefined && { window }),
    ...(allowNoData && { allowNoData }),
  };
}

/** The gates of a header. Gates that this version cannot read are listed, so that they are not ignored silently. */
export interface ReadGates {
  readonly gates: readonly Gate[];
  readonly unreadable: readonly { readonly name: string; readonly demand: string }[];
}

/** Reads gates back. Gates that cannot be parsed are unreadable; malformed options are ignored. Durations may also be text. */
export function readGates(recordedGates: unknown): ReadGates {
  const entries = isRecord(recordedGates) ? Object.entries(recordedGates) : [];
  const read = entries.flatMap(([name, list]) =>
    (Array.isArray(list) ? list : [list]).map((one: unknown) => readGate(name, one)),
  );
  return {
    gates: read.flatMap((one) => ('kind' in one ? [one] : [])),
    unreadable: read.flatMap((one) => ('kind' in one ? [] : [one])),
  };
}

function readGate(name: string, recordedGate: unknown): Gate | { name: string; demand: string } {
  const one = isRecord(recordedGate) ? recordedGate : { threshold: recordedGate };
  const demand = typeof one.threshold === 'string' ? one.threshold : JSON.stringify(one.threshold ?? null);
  const parsed = parseGate(name, demand, optionsOf(one));
  return 'value' in parsed ? parsed.value : { name, demand };
}

function optionsOf(one: Readonly<Record<string, unknown>>): GateOptions {
  const delay = millis(one.delayAbortEval);
  const window = millis(one.window);
  return {
    abortOnFail: one.abortOnFail === true,
    ...(delay !== undefined && { delayAbortEval: delay }),
    ...(window !== undefined && { window }),
    allowNoData: one.allowNoData === true,
  };
}

const millis = (value: unknown): Millis | undefined => {
  if (typeof value === 'number') return value as Millis;
  return typeof value === 'string' ? parseDuration(value) : undefined;
};
