import { markClasses } from '../../html/page-data.ts';

/** The current colours of the style sheet: light or dark, screen or paper. */
export type Theme = Readonly<Record<ThemeColor, string>>;

const colors = [
  'card',
  'ink',
  'soft',
  'faint',
  'line',
  'grid',
  'accent',
  'band',
  'bad',
  'bad-soft',
  'heat-0',
  'heat-1',
  'heat-2',
  'heat-3',
  ...markClasses,
] as const;
type ThemeColor = (typeof colors)[number];

function read(): Theme {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(colors.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Theme;
}

/** The current theme. */
export let theme: Theme = read();

export const font = (size: number, weight = 400): string =>
  `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;

/** Rereads the colours whenever they may have changed, then calls `changed`. Paper is always light. */
export function watchTheme(changed: (onPaper: boolean) => void): void {
  const again = () => {
    theme = read();
    changed(document.documentElement.hasAttribute('data-print'));
  };
  const print = (on: boolean) => {
    document.documentElement.toggleAttribute('data-print', on);
    for (const details of document.querySelectorAll('details')) details.open = on || details.dataset.opened === 'true';
    again();
  };
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && !document.documentElement.hasAttribute('data-print'))
        target.dataset.opened = String(target.open);
    },
    true,
  );
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
  matchMedia('print').addEventListener('change', ({ matches }) => print(matches));
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));
}
