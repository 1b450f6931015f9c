import { inlineCanvas } from '../drawing/canvas.ts';
import { countText } from '../words.ts';
import { drawTurn } from './draw-turn.ts';
import { states, type Turn } from './turn-list.ts';

/** The legend of turn states, each with a sample and the number of drawn turns. */
export class TurnLegend {
  readonly #list = document.createElement('ul');

  constructor(host: HTMLElement) {
    this.#list.className = 'legend';
    host.append(this.#list);
  }

  /** Redraws with the current colours. */
  update(turns: readonly Turn[]): void {
    const counts = states.map((_, state) => turns.filter((turn) => turn.state === state).length);
    this.#list.replaceChildren(
      ...states.flatMap((words, state) =>
        counts[state] ? [itemOf(state, `${words} ${countText(counts[state])}`)] : [],
      ),
    );
  }
}

function itemOf(state: number, text: string): HTMLLIElement {
  const item = document.createElement('li');
  const canvas = inlineCanvas(36, 16);
  const ratio = devicePixelRatio;
  const context = canvas.getContext('2d');
  const [left, right] = [ratio, 29 * ratio];
  const box = {
    turn: { state, named: false },
    left,
    right,
    certain: [left, 15 * ratio],
    top: ratio,
    height: 14 * ratio,
  } as const;
  if (context) drawTurn(context, box, { chosen: false, plain: false });
  item.append(canvas, text);
  return item;
}
