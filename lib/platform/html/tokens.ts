/** The colours by name: light, then dark. Red, amber and green are for states alone; `s1` to `s4` for data. */
export const tokens = {
  paper: ['#f5f6f8', '#0d1014'],
  card: ['#ffffff', '#15191f'],
  sunk: ['#f1f3f6', '#1b2028'],
  line: ['#e1e5ea', '#282f39'],
  edge: ['#c6cdd6', '#3b4451'],
  text: ['#14181f', '#e7eaef'],
  dim: ['#586271', '#9ea9b8'],
  link: ['#2451c4', '#8db4ff'],
  good: ['#0c6b3a', '#6fd69a'],
  goodback: ['#e6f5ec', '#11291d'],
  goodsolid: ['#1f9d5c', '#35b874'],
  warn: ['#7d4e00', '#f0c05c'],
  warnback: ['#fdf3dc', '#2d2410'],
  warnsolid: ['#b9810f', '#d9a02e'],
  bad: ['#ab1f1f', '#ff9a90'],
  badback: ['#fdebea', '#331718'],
  badsolid: ['#d64545', '#e5605a'],
  note: ['#3d4a8a', '#b3bdf7'],
  noteback: ['#edeffb', '#1e2340'],
  s1: ['#3d6fd9', '#6c9bff'],
  s2: ['#c8751d', '#f0a44c'],
  s3: ['#7d8796', '#7d899a'],
  s4: ['#7a5cc4', '#b094f2'],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

function properties(at: 0 | 1): string {
  return Object.entries(tokens)
    .map(([name, pair]) => `--${name}:${pair[at]}`)
    .join(';');
}

/** The colours as custom properties: written out for each scheme, so that browsers without `light-dark()` have them. */
export const tokenStyle = `:root{color-scheme:light dark;${properties(0)}}
@media (prefers-color-scheme:dark){:root{${properties(1)}}}
@media print{:root{color-scheme:light;${properties(0)};--paper:#fff}}
`;
