import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderTemplate, type TemplateScope } from './template.ts';

const scope: TemplateScope = {
  env: {},
  vars: {},
  data: {},
  user: { id: 'u', index: 0 },
  application: 'a1',
  arrival: 0,
  captured: {},
};
/** Texts with many of the special characters. */
const tricky = fc.string({ unit: fc.constantFrom('$', '{', '}', '${', 'a', '.', 'é', '\n', '"'), maxLength: 40 });

test('a text without "${" renders to itself', () => {
  fc.assert(
    fc.property(tricky, (text) => {
      fc.pre(!text.includes('${'));
      expect(renderTemplate(text, scope)).toEqual({ ok: true, text });
    }),
  );
});

test('every text survives being escaped and rendered', () => {
  fc.assert(
    fc.property(tricky, (text) => {
      expect(
        renderTemplate(
          text.replaceAll('${', () => '$${'),
          scope,
        ),
      ).toEqual({ ok: true, text });
    }),
  );
});

test('every value is inserted unchanged', () => {
  fc.assert(
    fc.property(tricky, tricky, (before, value) => {
      fc.pre(!before.includes('${') && !before.endsWith('$'));
      expect(renderTemplate(`${before}\${captured}`, { ...scope, captured: { captured: value } })).toEqual({
        ok: true,
        text: before + value,
      });
    }),
  );
});
