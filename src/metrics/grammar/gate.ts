import { type Millis, nearest } from '../../base/index.ts';
import { metricOf } from '../table.ts';
import type { KnownTags } from '../tags.ts';
import { type Expression, parseExpression, printExpression } from './expression.ts';
import { fitFaults } from './fit.ts';
import { type Fault, isParsed, type Parsed } from './parsed.ts';
import { type LimitTag, limitGateNames, parseSelector, printSelector, type Selector } from './selector.ts';

export interface GateOptions {
  /** Whether a failure ends the run immediately (exit code 108). */
  readonly abortOnFail: boolean;
  /** Run time before which a failure does not end the run; absent: no delay. */
  readonly delayAbortEval?: Millis;
  /** Judge each window of this length instead of the whole run; whole seconds. */
  readonly window?: Millis;
  /** Whether the run passes even if the gate is undetermined. */
  readonly allowNoData: boolean;
}

/** What a limit gate requires: `held` a consistent verdict; `not violated` a consistent or undecided one. */
export const limitDemands = ['held', 'not violated'] as const;
export type LimitDemand = (typeof limitDemands)[number];

/** A requirement for a run, with the result pass, fail or undetermined. */
export type Gate =
  | {
      readonly kind: 'metric';
      readonly selector: Selector;
      readonly expression: Expression;
      readonly options: GateOptions;
    }
  | { readonly kind: 'limit'; readonly limit: LimitTag; readonly demand: LimitDemand; readonly options: GateOptions };

export type MetricGate = Extract<Gate, { kind: 'metric' }>;
export type LimitGate = Extract<Gate, { kind: 'limit' }>;

/** An error in a gate, with the part that it is in. */
export type GateFault = Fault & { readonly part: 'name' | 'threshold' | keyof GateOptions };

export const plainOptions: GateOptions = { abortOnFail: false, allowNoData: false };

/**
 * Parses a gate from its name and its expression.
 * @returns the gate, or all its errors
 */
export function parseGate(
  name: string,
  threshold: string,
  options: GateOptions = plainOptions,
  known: KnownTags = {},
): { readonly value: Gate } | { readonly faults: readonly GateFault[] } {
  if (limitGateNames.includes(name.trim())) return parseLimitGate(name.trim(), threshold, options);
  const selector = parseSelector(name, known);
  const expression = asksOfLimit(threshold) ? limitOnly(threshold, isParsed(selector)) : parseExpression(threshold);
  const optionsAtFault = isParsed(selector) ? optionFaults(selector.value, options) : [];
  const unfit = isParsed(selector) && isParsed(expression) ? fitFaults(selector.value.metric, expression.value) : [];
  const faults = [
    ...faultsIn(selector, 'name'),
    ...faultsIn(expression, 'threshold'),
    ...unfit.map((fault) => ({ ...fault, part: 'threshold' as const })),
    ...optionsAtFault,
  ];
  if (faults.length > 0 || !isParsed(selector) || !isParsed(expression)) return { faults };
  return { value: { kind: 'metric', selector: selector.value, expression: expression.value, options } };
}

const words = (text: string): string => text.trim().replace(/\s+/g, ' ');
const asksOfLimit = (text: string): boolean => limitDemands.some((demand) => demand === words(text));

/** Errors of a limit demand such as `held` on a metric; none for an unknown name, which is reported on its own. */
const limitOnly = (text: string, known: boolean): Parsed<Expression> => ({
  faults: known
    ? [{ message: `"${words(text)}" applies only to limits`, hint: `write it below ${limitGateNames.join(', ')}` }]
    : [],
});

const faultsIn = (parsed: Parsed<unknown>, part: GateFault['part']): GateFault[] =>
  isParsed(parsed) ? [] : parsed.faults.map((fault) => ({ ...fault, part }));

function parseLimitGate(name: string, text: string, options: GateOptions) {
  const limit = name.slice('limit.'.length) as LimitTag;
  const demand = limitDemands.find((one) => one === words(text));
  const faults: GateFault[] = [];
  if (demand === undefined) {
    const near = nearest(text.trim(), limitDemands);
    const hint = near === undefined ? `write ${limitDemands.join(' or ')}` : `did you mean ${near}?`;
    faults.push({ part: 'threshold', message: `"${text}" is not a state of a limit`, hint });
  }
  for (const part of ['abortOnFail', 'delayAbortEval', 'window'] as const) {
    if (options[part] === undefined || options[part] === false) continue;
    faults.push({
      part,
      message: 'has no meaning for a limit',
      hint: 'limits are judged after the run, from all of it',
    });
  }
  if (faults.length > 0 || demand === undefined) return { faults };
  return { value: { kind: 'limit', limit, demand, options } as const };
}

function optionFaults({ metric }: Selector, options: GateOptions): GateFault[] {
  const { window, delayAbortEval, abortOnFail } = options;
  const faults: GateFault[] = [];
  if (window !== undefined && (window < 1_000 || window % 1_000 !== 0)) {
    faults.push({ part: 'window', message: 'must be whole seconds', hint: 'write for example 30s' });
  }
  if (window !== undefined && metricOf(metric).type === 'gauge') {
    faults.push({
      part: 'window',
      message: `has no meaning for ${metric}, which is the maximum over the whole run`,
      hint: 'leave it out',
    });
  }
  if (delayAbortEval !== undefined && !abortOnFail) {
    faults.push({
      part: 'delayAbortEval',
      message: 'has no meaning without abortOnFail',
      hint: 'write abortOnFail: true beside it',
    });
  }
  return faults;
}

/** The name of a gate: a metric with its tags, or `limit.` and the limit. */
export const gateName = (gate: Gate): string =>
  gate.kind === 'limit' ? `limit.${gate.limit}` : printSelector(gate.selector);

/** The requirement of a gate: its expression, or the demand on the limit. */
export const gateDemand = (gate: Gate): string =>
  gate.kind === 'limit' ? gate.demand : printExpression(gate.expression);

/** `http_req_duration{operation:sendMessage}: p(95)<300` */
export const printGate = (gate: Gate): string => `${gateName(gate)}: ${gateDemand(gate)}`;

/** With its window, which may be all that distinguishes two gates: `http_req_failed: rate<0.01 in windows of 30 s`. */
export const printWindowedGate = (gate: Gate): string => `${printGate(gate)}${windowText(gate.options.window)}`;

/** ` in windows of 30 s`; empty for a gate over the whole run. @param window ms */
export const windowText = (window: number | undefined): string =>
  window === undefined ? '' : ` in windows of ${window / 1_000} s`;

/** Without gates that an earlier one covers: the same requirement over the same windows, which also ends the run if this one does. */
export function uniqueGates(gates: readonly Gate[]): Gate[] {
  const kept = new Map<string, Gate[]>();
  return gates.filter((gate) => {
    const key = `${printWindowedGate(gate)} ${gate.options.allowNoData}`;
    const before = kept.get(key) ?? [];
    kept.set(key, [...before, gate]);
    return !before.some((other) => endsWith(other.options, gate.options));
  });
}

/** Whether the first gate ends every run that the second would end, at the same time. */
const endsWith = (one: GateOptions, other: GateOptions): boolean =>
  !other.abortOnFail || (one.abortOnFail && one.delayAbortEval === other.delayAbortEval);

/** Splits `METRIC: EXPRESSION` of the command line at the first colon outside braces. */
export function splitGate(text: string): { readonly name: string; readonly threshold: string } | undefined {
  const match = /^([^{}:]*(?:\{[^{}]*\})?\s*):(.*)$/s.exec(text);
  return match ? { name: (match[1] ?? '').trim(), threshold: (match[2] ?? '').trim() } : undefined;
}
