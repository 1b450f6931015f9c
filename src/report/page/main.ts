import type { LiveMessage, LivePictures, PageData } from '../html/page-data.ts';
import { watchTheme } from './drawing/theme.ts';
import { follow } from './live.ts';
import { MarkTable } from './mark-table.ts';
import type { PageState } from './page-state.ts';
import { GeneratorPicture } from './pictures/generator.ts';
import { HeatPicture } from './pictures/heat.ts';
import { QuotaPicture } from './pictures/quota.ts';
import { RequestPicture } from './pictures/requests.ts';
import { TurnPicture } from './pictures/turns.ts';
import { range } from './range.ts';
import { watchTips } from './tip.ts';
import { zoomTools } from './zoom-tools.ts';

/** A chart on the page. */
interface Picture {
  update(): void;
  resize(width?: number): void;
}

const kinds: Readonly<Record<string, new (host: HTMLElement, state: PageState) => Picture>> = {
  requests: RequestPicture,
  turns: TurnPicture,
  quota: QuotaPicture,
  heat: HeatPicture,
  generator: GeneratorPicture,
};

/** Printable width of an A4 page in CSS pixels. */
const PAPER_WIDTH = 640;

function draw(data: PageData & { readonly live?: string }): void {
  takeTimes(data);
  const state: PageState = { pictures: data, marks: new MarkTable(data.marks) };
  const pictures: Picture[] = [];
  for (const host of document.querySelectorAll<HTMLElement>('[data-picture]')) {
    const Kind = kinds[host.dataset.picture ?? ''];
    if (Kind) pictures.push(new Kind(host, state));
  }
  zoomTools(document.querySelectorAll<HTMLElement>('[data-picture=requests], [data-picture=turns]'));
  watchTheme((onPaper) => {
    for (const picture of pictures) {
      picture.resize(onPaper ? PAPER_WIDTH : undefined);
      picture.update();
    }
  });
  if (data.live !== undefined) follow(data.live, (message) => change(state, pictures, message));
}

const secondsOf = (us: number): number => Math.max(0.001, us / 1e6);

function takeTimes({ durationUs, warmUpUs, stages = [] }: LivePictures): void {
  range.duration = secondsOf(durationUs);
  range.warmUp = warmUpUs / 1e6;
  range.stages = stages.map(({ fromUs, name }) => ({ from: fromUs / 1e6, name }));
}

/** Applies a message of the live page to the charts. */
function change(state: PageState, pictures: readonly Picture[], { pictures: now, marks }: LiveMessage): void {
  state.pictures = now;
  if (marks.from === 0) state.marks = new MarkTable(marks.added);
  else state.marks.append(marks.added, marks.kindsFrom, marks.usersFrom);
  takeTimes(now);
  range.apply();
  for (const picture of pictures) picture.update();
}

watchTips();
const source = document.getElementById('data')?.textContent ?? 'null';
const data = JSON.parse(source) as PageData | null;
if (data) draw(data);
