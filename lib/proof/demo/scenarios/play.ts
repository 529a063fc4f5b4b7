import type { PlayedView } from '../../../rgs/sandbox/view/state';
import {
  type BooksBefore,
  booksBefore,
  createSandboxApi,
  ScenarioContext,
  endLeftovers,
  type Scenario,
  type ScenarioContextOptions,
} from './context';

/**
 * Plays a scenario. All faults of the sandbox are cleared before and after it; it is judged by its own rounds alone,
 * and where it fails it ends what it left open.
 * @returns Its lines, and whether it was proved.
 */
export async function playScenario(
  scenario: Scenario,
  options: ScenarioContextOptions,
): Promise<PlayedView> {
  const { name, shows } = scenario;
  const lines: string[] = [];
  const print = (line: string): void => {
    lines.push(line);
    options.print(line);
  };
  const { url, clock, book } = options;
  const api = createSandboxApi(url, clock);
  print(`${name}: ${shows}`);
  await api.clearFaults();
  const before = await booksBefore(api, book);
  const context = new ScenarioContext({ ...options, print }, before);
  const fault = await faultOf(scenario, context, before);
  const isOk = fault === null;
  print(isOk ? `${name}: proved.` : `${name}: FAILED. ${fault}`);
  if (isOk) await api.clearFaults();
  else await endLeftovers({ api, book, before, clock });
  return { isOk, lines };
}

/** Plays it. @returns Why it failed; null if it is proved. */
async function faultOf(
  scenario: Scenario,
  context: ScenarioContext,
  { findings: known }: BooksBefore,
): Promise<string | null> {
  try {
    await scenario.play(context);
    return await refusedSignature(context, known);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const cause = await refusedSignature(context, known).catch(() => null);
    return cause === null ? message : `${message}; ${cause}`;
  }
}

/** A provider that refuses what it is asked is not proved by rounds that were played without it (E23.1). */
async function refusedSignature({ api }: ScenarioContext, known: number): Promise<string | null> {
  const { findings } = await api.findings();
  const refused = findings.slice(known).find(({ id }) => id === 'routerRefusesSignature');
  if (refused === undefined) return null;
  return `the game provider answered 401 on ${refused.call}: does it know PROVIDER_ID, and is PROVIDER_SECRET its secret? (${refused.rule})`;
}
