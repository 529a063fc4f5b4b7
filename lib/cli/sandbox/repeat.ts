import type { PartyFlags, SandboxFlags } from './flags';

/** Defaults, which are left out. */
const usual = { port: 8090, host: '127.0.0.1' };

/**
 * The command that repeats a run: its flags, and the seed. The environment is not in it, and neither is --data: with
 * the rounds of this run it would be another run.
 * @param scenario For `sandbox play`.
 */
export function repeatOf(
  flags: PartyFlags & Partial<SandboxFlags>,
  seed: number,
  scenario?: string,
): string {
  const { wallet, provider, game, players, settings, multiplier = {}, data, script } = flags;
  const { port = usual.port, host = usual.host, exit, verbose } = flags;
  const values = { wallet, provider, players, settings, script };
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`],
  );
  const factors = Object.entries(multiplier).map(
    ([code, factor]) => `--multiplier ${code}=${factor}`,
  );
  return [
    'rgs-wallet sandbox',
    ...(scenario === undefined ? [] : [`play ${scenario}`]),
    `--seed ${seed}`,
    ...given,
    ...(game === 'game-bells' ? [] : [`--game ${quoted(game)}`]),
    ...factors,
    ...(port === usual.port ? [] : [`--port ${port}`]),
    ...(host === usual.host ? [] : [`--host ${quoted(host)}`]),
    ...(exit === true ? ['--exit'] : []),
    ...(verbose === true ? ['--verbose'] : []),
    ...(data === undefined ? [] : ['# without --data: the file has the rounds of this run']),
  ].join(' ');
}

function quoted(text: string): string {
  return /^[\w.:/@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
