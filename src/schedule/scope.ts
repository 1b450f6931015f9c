import { seededRandom } from '../base/index.ts';
import { describeMissing, renderTemplate, type TemplateScope } from '../scenario/index.ts';
import type { JourneyState } from './journey-state.ts';

/** Rendered texts under the names that they were given; or why one of them has no value now. */
type RenderedAll<K extends string> =
  | { readonly kind: 'texts'; readonly texts: { readonly [key in K]?: string } }
  | { readonly kind: 'stop'; readonly because: string };

/**
 * Renders every text that is there. A name without a value stops the journey rather than sending a hole.
 * @param index of the message within its burst; absent outside one
 */
export function renderAll<K extends string>(
  journey: JourneyState,
  texts: { readonly [key in K]?: string | undefined },
  index?: number,
): RenderedAll<K> {
  const scope = scopeOf(journey, index);
  const rendered: { [key in K]?: string } = {};
  for (const [name, text] of Object.entries(texts) as [K, string | undefined][]) {
    if (text === undefined) continue;
    const result = renderTemplate(text, scope);
    if (!result.ok) return { kind: 'stop', because: describeMissing(result.missing) };
    rendered[name] = result.text;
  }
  return { kind: 'texts', texts: rendered };
}

/** What `${…}` may stand for in this journey now. */
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
    ...(iteration === undefined ? {} : { iteration }),
    ...(index === undefined ? {} : { index }),
    ...(conversation === undefined ? {} : { conversation }),
    ...(turn === undefined ? {} : { turn }),
    ...(answer === undefined ? {} : { answer }),
  };
}

/** The row that this arrival takes of each table: in turn, or drawn from the seed. */
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
