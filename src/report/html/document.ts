import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { html, Markup, scriptJson } from './markup.ts';
import { pageStyle } from './style.ts';

interface PageDocument {
  readonly title: string;
  readonly header: Markup;
  /** Links to the sections. */
  readonly contents: readonly { readonly id: string; readonly title: string }[];
  readonly main: Markup;
  readonly footer: Markup;
  /** The data from which page/ draws the charts. */
  readonly data: unknown;
  /** Whether the page may connect to its own server. Default: no network access. */
  readonly live?: boolean;
}

const require = createRequire(import.meta.url);

/** The bundled script of the page, which includes uPlot, and the styles of uPlot and of the page. Read once. */
let read: { readonly script: string; readonly style: string } | undefined;
function assets(): { readonly script: string; readonly style: string } {
  read ??= {
    script: readFileSync(require.resolve('#report-page'), 'utf8').trim(),
    style: `${readFileSync(require.resolve('uplot/dist/uPlot.min.css'), 'utf8').trim()}\n${pageStyle}`,
  };
  return read;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Content security policy: only the page's own script and style, no images, fonts, frames or forms; requests only to its own
 * server, if live.
 */
export function contentSecurityPolicy(live: boolean): string {
  const { script, style } = assets();
  return `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; ${live ? "connect-src 'self'; " : ''}base-uri 'none'; form-action 'none'`;
}

/** Renders a self-contained page that loads nothing. */
export function pageText({ title, header, contents, main, footer, data, live = false }: PageDocument): string {
  const { script, style } = assets();
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(contentSecurityPolicy(live))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="spillway">
<title id="title">${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#answer">Skip to the answer</a>
<header class="top"><p class="brand">${logo}Spillway</p>${header}</header>
<nav aria-label="On this page"><ul>${contents.map((one) => html`<li><a href="#${one.id}" id="to-${one.id}">${one.title}</a></li>`)}</ul></nav>
<main>
${main}</main>
<footer>${footer}</footer>
<div id="tip" role="status" aria-live="polite"></div>
<script type="application/json" id="data">${new Markup(scriptJson(data))}</script>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.text;
}

const logo = html`<svg class="logo" width="28" height="28" viewBox="0 0 28 28" aria-hidden="true"><path class="water" d="M1 9c3-2.4 6-2.4 9 0 2 1.6 4.5 1.2 6 3.2 2.8 3.8 3.2 9.8 11 10.8V26H1Z"/><path class="dam" d="M1 13.5c2.600 0 6.500.2 8.800 1.600C13.500 17.400 13.800 24 20 26H1Z"/></svg>`;
