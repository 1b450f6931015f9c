import { seededRandom } from '../../base/index.ts';
import {
  type CompiledTemplate,
  compileTemplate,
  describeMissing,
  renderTemplate,
  type TemplateScope,
} from '../../scenario/index.ts';
import type { JourneyState } from './journey-state.ts';

/** Rendered texts by name; or why one of them has no value now. */
type RenderedAll<K extends string> = RenderedTexts<K> | { readonly kind: 'stop'; readonly because: string };

interface RenderedTexts<K extends string> {
  readonly kind: 'texts';
  readonly texts: { readonly [key in K]?: string };
}

/**
 * Renders every text. A name without a value stops the journey, so that no gap is sent.
 * @param index index of the message within its burst; absent outside one
 */
export function renderAll<K extends string>(
  journey: JourneyState,
  texts: { readonly [key in K]?: string | undefined },
  index?: number,
): RenderedAll<K> {
  const rendered: { [key in K]?: string } = {};
  let scope: TemplateScope | undefined;
  for (const name in texts) {
    const text = texts[name];
    if (text === undefined) continue;
    const template = templateOf(text);
    if (typeof template === 'string') {
      rendered[name] = template;
      continue;
    }
    scope ??= scopeOf(journey, index);
    const result = renderTemplate(template, scope);
    if (!result.ok) return { kind: 'stop', because: describeMissing(result.missing) };
    rendered[name] = result.text;
  }
  return { kind: 'texts', texts: rendered };
}

/** The result of `renderAll` if it is the same in every journey; `undefined` if it depends on the journey. */
export function renderedOnce<K extends string>(
  texts: {
    readonly [key in K]?: string | undefined;
  },
): RenderedTexts<K> | undefined {
  const rendered: { [key in K]?: string } = {};
  for (const name in texts) {
    const text = texts[name];
    const template = text === undefined ? undefined : templateOf(text);
    if (typeof template === 'object') return undefined;
    if (template !== undefined) rendered[name] = template;
  }
  return { kind: 'texts', texts: rendered };
}

/** Parsed texts of scenarios; a text without names is its own rendering. There are as many as texts in the file. */
const templates = new Map<string, CompiledTemplate | string>();

function templateOf(text: string): CompiledTemplate | string {
  const known = templates.get(text);
  if (known !== undefined) return known;
  const compiled = compileTemplate(text);
  const isPlain = compiled.ok && compiled.parts.every((part) => part.kind === 'text');
  const made = isPlain ? compiled.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('') : compiled;
  templates.set(text, made);
  return made;
}

/** What `${…}` may refer to in this journey now. */
function scopeOf(journey: JourneyState, index: number | undefined): TemplateScope {
  const { world, arrival, user, iteration, conversation, answer } = journey;
  const turn = journey.turns.at(-1)?.id;
  return {
    env: world.loaded.env,
    vars: world.loaded.scenario.variables,
    data: rowsOf(journey),
    user: { id: user.externalId, index: arrival.user },
    application: user.application,
    arrival: arrival.index,
    captured: journey.captured,
    iteration,
    index,
    conversation,
    turn,
    answer,
  };
}

/** The row of each table for this arrival: in turn, or random from the seed. */
function rowsOf(journey: JourneyState): TemplateScope['data'] {
  const { loaded } = journey.world;
  const { index } = journey.arrival;
  const rows = Object.entries(loaded.data).map(([name, table]) => {
    const at =
      table.order === 'random'
        ? seededRandom(loaded.scenario.seed, 'data', name, index).integer(table.rows.length)
        : index % table.rows.length;
    return [name, table.rows[at] ?? {}] as const;
  });
  return Object.fromEntries(rows);
}
