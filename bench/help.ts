import { contestants } from './contestants/list';
import { defaults } from './options';
import { seriesNames, seriesOf, usualConnections } from './series';

/** What `--help` prints. */
export function helpText(): string {
  const everyone = Object.entries(contestants).map(
    ([letter, { title }]) => `  ${letter}  ${title}\n`,
  );
  const series = seriesNames().map((name) => {
    const { title, letters, repeats } = seriesOf(name);
    const times = repeats === 1 ? 'once' : `${repeats} times`;
    return `  ${name.padEnd(11)} ${title}\n${' '.repeat(14)}(${letters?.join(',') ?? 'all'}; ${times})\n`;
  });
  return `npm run bench -- [options]

Measures the operator's service as it is written with the kit and by hand, side by side. In a
series every contestant is started once, with its own server, and warmed up; then they take turns.
After the last turn, contestant and server are killed and started again, and the money of every
player is counted. A cent too much or too little, or an answer that is wrong, ends it with exit
code 1. All but the series "resident", "events", "history", "two" and "own" take about twenty-five
minutes. The ratios at ${usualConnections} connections are held against those of bench/baseline.json.

  --quick               a look of two minutes at the ratios: short turns of a,b,c,d,e
  --goals               what the goals over Redis need, and no more: six turns of a,b,c,d,e in closed,
                        open, long-round, refused and hundred, in about a quarter of an hour
  --series closed,hot   which (default: all but resident, events, history, two and own)
  --contestants a,b,c   which (default: those of each series, below)
  --connections 1,32    closed: connections at once (default: ${defaults.connections})
  --rates 500,1500      open: calls a second over Redis (default: ${defaults.rates})
  --postgres-rates 200  open: the same over PostgreSQL (default: ${defaults['postgres-rates']})
  --arrivals poisson    open: as of many who know nothing of each other, or "even"; the same times
                        for all contestants (default: ${defaults.arrivals})
  --calls n             resident: calls in all (default: ${defaults.calls})
  --seconds n           measured for each step (default: ${defaults.seconds})
  --warmup-calls n      calls of each contestant before the first turn (default: ${defaults['warmup-calls']};
                        over PostgreSQL an eighth, of a hundred transactions a tenth)
  --warmup n            seconds of calls before the first turn instead
  --repeats n           how often all have their turn, in alternation (default: by series, below)
  --baseline name       keep the ratios in bench/baseline.json under this name
  --json file           write all figures there, and the machine
  --markdown file       write the tables there
  --svg file            write a chart of the closed loop there
  --help                print this

Series (contestants; repeats):
${series.join('')}
Contestants:
${everyone.join('')}`;
}
