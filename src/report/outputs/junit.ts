import type { Summary } from '../../collect/index.ts';
import { type Result, type Suite, suitesOf, type TestCase } from './junit-cases.ts';
import type { Output } from './output.ts';
import { element, xmlLines } from './xml.ts';

const count = (suites: readonly Suite[], state?: Result['state']): number =>
  suites.flatMap(({ cases }) => cases).filter(({ result }) => state === undefined || result.state === state).length;

const tags = { failed: 'failure', error: 'error', skipped: 'skipped' } as const;

/** The time of all cases, in seconds. */
function timeOf(cases: readonly TestCase[]): string {
  const us = cases.reduce((sum, { durationUs = 0 }) => sum + durationUs, 0);
  return us === 0 ? '0' : (us / 1_000_000).toFixed(3);
}

/** As Surefire's schema has it: without a fraction and a zone. @returns no attribute if nothing has run */
const timestampOf = (startedAt: string) =>
  startedAt === '' ? {} : { timestamp: new Date(startedAt).toISOString().slice(0, 19) };

function caseElement(suite: string, one: TestCase): string {
  const { name, result } = one;
  const attributes = { name, classname: `spillway.${suite.replaceAll(/\W+/g, '.')}`, time: timeOf([one]) };
  if (result.state === 'passed') return element('testcase', attributes);
  const { message, type, lines } = result;
  return element(
    'testcase',
    attributes,
    `\n      ${element(tags[result.state], { message, type }, xmlLines(lines))}\n    `,
  );
}

function suiteElement(suite: Suite, about: About): string {
  const { name, cases, startedAt = about.startedAt } = suite;
  const attributes = {
    name: `${about.scenario} ${name}`,
    tests: cases.length,
    failures: count([suite], 'failed'),
    errors: count([suite], 'error'),
    skipped: count([suite], 'skipped'),
    time: timeOf(cases),
    ...timestampOf(startedAt),
  };
  return element('testsuite', attributes, `\n${cases.map((one) => `    ${caseElement(name, one)}\n`).join('')}  `);
}

/** The run's facts that all suites of a file share. */
type About = Pick<Summary['run'], 'scenario' | 'startedAt'>;

/** Renders a `junit.xml`. */
export function renderJUnit(suites: readonly Suite[], about: About): string {
  const attributes = {
    name: `spillway ${about.scenario}`,
    tests: count(suites),
    failures: count(suites, 'failed'),
    errors: count(suites, 'error'),
    time: timeOf(suites.flatMap(({ cases }) => cases)),
  };
  const content = suites.map((suite) => `  ${suiteElement(suite, about)}\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, `\n${content}`)}\n`;
}

/** Test cases for CI servers: gates, limits with their certificates, findings, expectations. */
export const junitXml: Output = {
  file: 'junit.xml',
  holds:
    'gates, limits, findings and expectations as test cases, for CI servers (the JUnit format of Surefire and Jenkins)',
  render: (run) => renderJUnit(suitesOf(run), run.summary.run),
};
