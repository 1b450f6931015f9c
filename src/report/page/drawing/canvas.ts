/** A canvas within the text, in the resolution of the screen; hidden from screen readers. @param width of both, CSS pixels */
export function inlineCanvas(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * devicePixelRatio, height * devicePixelRatio];
  [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
  canvas.setAttribute('aria-hidden', 'true');
  return canvas;
}
