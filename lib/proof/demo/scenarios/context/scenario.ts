import type { ScenarioContext } from './create';

/** A scenario: it plays on a running sandbox, and proves its point. */
export interface Scenario {
  readonly name: string;
  /** What it shows, in a few words. */
  readonly shows: string;
  /** @throws ScenarioError if the sandbox does not do what the scenario proves. */
  play(context: ScenarioContext): Promise<void>;
}

/** Minutes and hours, in milliseconds. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
