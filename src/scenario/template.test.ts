import { describe, expect, test } from 'vitest';
import { compileTemplate, describeMissing, renderTemplate, type TemplateScope } from './template.ts';

const scope: TemplateScope = {
  env: { REGION: 'ch' },
  vars: { city: 'Geneva', count: 3 },
  data: { cities: { name: 'Bern', 'name.fr': 'Berne', population: 134000, capital: true, mayor: null } },
  user: { id: 'user-7', index: 6 },
  application: 'a1',
  arrival: 12,
  iteration: 0,
  index: 4,
  conversation: 'c-1',
  turn: 't-1',
  answer: 'm-1',
  captured: { title: 'A title', count: 0, flag: false, list: [1], nested: {}, nothing: null },
};

describe('renderTemplate', () => {
  test.each([
    ['plain', 'plain'],
    ['${env.REGION}', 'ch'],
    ['${vars.city} × ${vars.count}', 'Geneva × 3'],
    [
      '${data.cities.name}, ${data.cities.name.fr}: ${data.cities.population} ${data.cities.capital}',
      'Bern, Berne: 134000 true',
    ],
    ['${user.id} ${user.index} ${application} ${arrival} ${iteration} ${index}', 'user-7 6 a1 12 0 4'],
    ['${conversation}/${turn}/${answer}', 'c-1/t-1/m-1'],
    ['${title} ${count} ${flag}', 'A title 0 false'],
    ['${ title }', 'A title'],
    ['costs $5 {or} $', 'costs $5 {or} $'],
    ['$${title} is ${title}', '${title} is A title'],
    ['$$${title}', '$${title}'],
    ['', ''],
  ])('%s → %s', (text, expected) => {
    expect(renderTemplate(text, scope)).toEqual({ ok: true, text: expected });
  });

  test('does not expand inserted values', () => {
    expect(renderTemplate('${title}', { ...scope, captured: { title: '${env.REGION} $${x}' } })).toEqual({
      ok: true,
      text: '${env.REGION} $${x}',
    });
  });

  test.each([
    ['${other}', 'other', 'nothing was captured under this name'],
    ['${nothing}', 'nothing', 'nothing was captured under this name'],
    ['${list}', 'list', 'an array cannot be written into a text'],
    ['${nested}', 'nested', 'an object cannot be written into a text'],
    ['${constructor}', 'constructor', 'nothing was captured under this name'],
    ['${env.HOME}', 'env.HOME', 'the environment variable is not set'],
    ['${vars.toString}', 'vars.toString', 'no such variable'],
    ['${data.towns.name}', 'data.towns.name', 'no such data'],
    ['${data.cities.mayor}', 'data.cities.mayor', 'the row has no value there'],
    ['${user.name}', 'user.name', 'nothing was captured under this name'],
  ])('%s has no value, and says why', (text, name, because) => {
    expect(renderTemplate(`a ${text} b`, scope)).toEqual({ ok: false, missing: [{ name, because }] });
  });

  test('explains for every placeholder why it has no value yet', () => {
    const { iteration: _i, index: _x, conversation: _c, turn: _t, answer: _a, ...early } = scope;
    const rendered = renderTemplate('${iteration}${index}${conversation}${turn}${answer}', early);
    expect(rendered.ok ? '' : describeMissing(rendered.missing)).toBe(
      '${iteration}: defined only inside a repeat; ${index}: defined only inside a burst; ' +
        '${conversation}: the journey has no conversation yet; ${turn}: no message was accepted yet; ' +
        '${answer}: no turn was seen completed yet',
    );
  });
});

describe('compileTemplate', () => {
  test('splits a text into its parts', () => {
    expect(compileTemplate('a ${b} $${c')).toEqual({
      ok: true,
      parts: [
        { kind: 'text', text: 'a ' },
        { kind: 'name', name: 'b' },
        { kind: 'text', text: ' ' },
        { kind: 'text', text: '${' },
        { kind: 'text', text: 'c' },
      ],
    });
  });

  test.each([
    ['a ${b', 2, '"${" without its "}"'],
    ['${}', 0, '"${}" holds no name'],
    ['x${ }', 1, '"${}" holds no name'],
    ['${a${b}', 0, '"${a${b}" holds no name'],
  ])('%s is malformed', (text, at, malformed) => {
    expect(compileTemplate(text)).toEqual({ ok: false, at, malformed });
    expect(renderTemplate(text, scope)).toEqual({ ok: false, missing: [{ name: '', because: malformed }] });
  });
});
