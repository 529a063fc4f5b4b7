import { scripts } from './scripts';

/** What decides which commands a store needs. */
interface RightsNeeded {
  readonly events: boolean;
  readonly history: boolean;
}

/** Commands that scripts without the option's name run only with it. */
const onlyWith: Readonly<Record<keyof RightsNeeded, readonly string[]>> = {
  events: ['xadd'],
  history: ['hlen', 'lindex', 'pexpireat', 'pexpiretime'],
};

/** Commands that the store and its client send outside scripts. */
export const sentOutside: readonly string[] =
  'evalsha eval exists set wait scan pttl info config|get ping time cluster|slots cluster|info readonly'.split(
    ' ',
  );

const known = new Map<string, readonly string[]>();

/** The commands that the scripts of a store with these options run, in the order of the alphabet; read once. */
export function commandsOfScripts(options: RightsNeeded): readonly string[] {
  const which = `${options.events} ${options.history}`;
  const commands = known.get(which) ?? findCommands(options);
  known.set(which, commands);
  return commands;
}

function findCommands(options: RightsNeeded): readonly string[] {
  const names = Object.values(scripts).flatMap((script) => {
    const option = optionOf(script);
    if (option !== null && !options[option]) return [];
    return commandsIn(script.source).filter((name) => option !== null || isNeeded(name, options));
  });
  return [...new Set(names)].toSorted();
}

/** The option that a script belongs to; null for one that every store runs. */
function optionOf({ name }: { readonly name: string }): keyof RightsNeeded | null {
  if (name.startsWith('events/')) return 'events';
  return /^(?:history|open-rounds)\//.test(name) ? 'history' : null;
}

function isNeeded(name: string, { events, history }: RightsNeeded): boolean {
  return (
    (events || !onlyWith.events.includes(name)) && (history || !onlyWith.history.includes(name))
  );
}

function commandsIn(source: string): string[] {
  return Array.from(source.matchAll(/redis\.call\('(\w+)'/g), ([, name = '']) =>
    name.toLowerCase(),
  );
}
