/*
 * Validates JUnit XML against the schema of Jenkins' xUnit plug-in (junit-10.xsd) and the well-formedness rules of XML 1.0. Written
 * from the schema, independently of the writer.
 */

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

interface Rule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
  /** Whether it may contain text other than white space. */
  readonly text: boolean;
}

const resultRule: Rule = { required: [], optional: ['type', 'message'], children: [], text: true };

const rules: Readonly<Record<string, Rule>> = {
  testsuites: {
    required: [],
    optional: ['name', 'time', 'tests', 'failures', 'errors'],
    children: ['testsuite'],
    text: false,
  },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    text: false,
  },
  testcase: {
    required: ['name'],
    optional: ['time', 'classname', 'group'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    text: false,
  },
  failure: resultRule,
  error: resultRule,
  skipped: resultRule,
};

/** SUREFIRE_TIME of the schema. */
const TIME = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/;
/** xs:dateTime without a zone, as in Surefire's schema. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Parses a document. @throws Error if it is not well-formed; covers only the features that such documents use */
export function parseXml(text: string): XmlElement {
  // XML 1.0, section 2.2: Char.
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text))
    throw new Error('a character that XML does not have');
  const body = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n([\s\S]*)$/.exec(text)?.[1];
  if (body === undefined) throw new Error('no declaration');
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  let rest = 0;
  for (const match of body.matchAll(/<(\/?)([A-Za-z][\w.-]*)((?:\s+[A-Za-z][\w:.-]*="[^"<]*")*)\s*(\/?)>/g)) {
    const here = open.at(-1) ?? root;
    here.text += unescaped(body.slice(rest, match.index));
    rest = match.index + match[0].length;
    const [, closing, name = '', attributes = '', empty] = match;
    if (closing === '/') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
      continue;
    }
    const element: XmlElement = { name, attributes: attributesOf(attributes), children: [], text: '' };
    here.children.push(element);
    if (empty !== '/') open.push(element);
  }
  const [only, ...more] = root.children;
  if (open.length !== 1 || !only || more.length > 0 || body.slice(rest).trim() !== '' || root.text.trim() !== '')
    throw new Error('not one element');
  return only;
}

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, key = '', value = ''] of text.matchAll(/\s+([A-Za-z][\w:.-]*)="([^"]*)"/g)) {
    if (Object.hasOwn(found, key)) throw new Error(`the attribute ${key} stands twice`);
    found[key] = unescaped(value);
  }
  return found;
}

function unescaped(text: string): string {
  if (text.includes('<') || text.includes(']]>')) throw new Error('markup in text');
  return text.replace(/&([^;]*;?)/g, (all, name: string) => {
    const character = ENTITIES[name.replace(/;$/, '')];
    if (!name.endsWith(';') || character === undefined) throw new Error(`${all} is no entity`);
    return character;
  });
}

/** All violations of the schema, and wrong counts; empty if the document is valid. */
export function junitFaults(element: XmlElement): string[] {
  const { name, attributes, children, text } = element;
  const rule = rules[name];
  if (!rule) return [`<${name}> is not known`];
  const keys = Object.keys(attributes);
  return [
    ...rule.required.filter((key) => !keys.includes(key)).map((key) => `<${name}> lacks ${key}`),
    ...keys.filter((key) => ![...rule.required, ...rule.optional].includes(key)).map((key) => `<${name}> has ${key}`),
    ...children.filter((child) => !rule.children.includes(child.name)).map((child) => `<${child.name}> in <${name}>`),
    ...(!rule.text && text.trim() !== '' ? [`text in <${name}>`] : []),
    ...(attributes.time !== undefined && !TIME.test(attributes.time) ? [`time="${attributes.time}"`] : []),
    ...(attributes.timestamp !== undefined && !TIMESTAMP.test(attributes.timestamp)
      ? [`timestamp="${attributes.timestamp}"`]
      : []),
    ...countFaults(element),
    ...children.flatMap(junitFaults),
  ];
}

function casesIn({ name, children }: XmlElement): XmlElement[] {
  return name === 'testsuite' ? children.filter((child) => child.name === 'testcase') : children.flatMap(casesIn);
}

function countFaults(element: XmlElement): string[] {
  if (!['testsuite', 'testsuites'].includes(element.name)) return [];
  const cases = casesIn(element);
  const having = (name: string) => cases.filter(({ children }) => children.some((child) => child.name === name)).length;
  const counts = {
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  };
  return Object.entries(counts)
    .filter(([key, count]) => element.attributes[key] !== undefined && element.attributes[key] !== String(count))
    .map(([key, count]) => `${key}="${element.attributes[key]}" of ${count}`);
}
