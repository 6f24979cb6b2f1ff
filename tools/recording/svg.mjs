/** Frames of a terminal as one picture that plays by itself; where nothing plays, the last frame stands. */

const cell = { width: 8.4, height: 18 };
const margin = { left: 16, top: 44, bottom: 16 };
const paper = '#11151c';
const inks = {
  '': '#d5dae3',
  red: '#ff7b72',
  green: '#7ee787',
  yellow: '#e3b341',
  blue: '#79b8ff',
  magenta: '#d2a8ff',
  cyan: '#6fd3e6',
};

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const round = (number) => Number(number.toFixed(3));

/** Runs of cells that look the same; spaces at the end show nothing. */
function runsOf(cells) {
  const runs = [];
  cells.forEach(({ character, style }, column) => {
    const last = runs.at(-1);
    if (last !== undefined && last.key === JSON.stringify(style) && last.from + last.text.length === column)
      last.text += character;
    else runs.push({ from: column, text: character, style, key: JSON.stringify(style) });
  });
  return runs.filter(({ text }) => text.trim() !== '');
}

function rowText(cells) {
  return runsOf(cells)
    .map(({ from, text, style }) => {
      const lead = text.length - text.trimStart().length;
      const look = [
        `fill="${inks[style.colour]}"`,
        ...(style.bold ? ['font-weight="bold"'] : []),
        ...(style.dim ? ['opacity=".6"'] : []),
      ].join(' ');
      return `<tspan x="${round(margin.left + (from + lead) * cell.width)}" ${look}>${escaped(text.trim())}</tspan>`;
    })
    .join('');
}

/** Each row as pieces of time in which it stays the same. */
function piecesOf(frames, rows, total) {
  const pieces = [];
  for (let row = 0; row < rows; row++) {
    let current;
    frames.forEach(({ at, screen }, index) => {
      const text = rowText(screen[row] ?? []);
      const until = frames[index + 1]?.at ?? total;
      if (current !== undefined && current.text === text) current.until = until;
      else pieces.push((current = { row, text, from: at, until }));
    });
  }
  return pieces.filter(({ text, from, until }) => text !== '' && until > from);
}

/**
 * @param frames `{ at, screen }`: seconds since the beginning, and rows of cells; the first is at 0.
 * @param holdSeconds How long the last one is shown before it begins again.
 */
export function recordingSvg(frames, { columns, rows, title, holdSeconds = 4 }) {
  const total = round((frames.at(-1)?.at ?? 0) + holdSeconds);
  const width = Math.ceil(margin.left * 2 + columns * cell.width);
  const height = margin.top + rows * cell.height + margin.bottom;
  const rules = new Map();
  const percent = (seconds) => round((seconds / total) * 100);
  const classOf = ({ from, until }) => {
    if (from === 0 && until === total) return '';
    const key = `${from} ${until}`;
    if (!rules.has(key)) rules.set(key, { name: `p${rules.size}`, from: percent(from), until: percent(until) });
    return ` class="${rules.get(key).name}"`;
  };
  const texts = piecesOf(frames, rows, total).map(
    (piece) => `<text${classOf(piece)} y="${margin.top + (piece.row + 1) * cell.height - 5}">${piece.text}</text>`,
  );
  const styles = [...rules.values()].map(({ name, from, until }) => {
    const steps = [
      ...(from > 0 ? ['0%{visibility:hidden}'] : []),
      `${from}%{visibility:visible}`,
      ...(until < 100 ? [`${until}%{visibility:hidden}`] : []),
    ].join('');
    const still = until < 100 ? 'visibility:hidden;' : '';
    return `@keyframes ${name}{${steps}}.${name}{${still}animation:${name} ${total}s step-end infinite}`;
  });
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, index) => `<circle cx="${20 + index * 20}" cy="20" r="6" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}${styles.join('')}</style>`,
    `<rect width="${width}" height="${height}" rx="10" fill="${paper}"/>`,
    ...dots,
    `<text x="${width / 2}" y="25" text-anchor="middle" fill="#8b949e">${escaped(title)}</text>`,
    ...texts,
    '</svg>',
    '',
  ].join('\n');
}
