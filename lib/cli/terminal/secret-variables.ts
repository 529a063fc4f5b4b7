/** Variables that hold a secret, or an address with a password. */
const names = ['OPERATOR_SECRET', 'PROVIDER_SECRET'] as const;

/** What was taken out of the environment by this command. */
const taken = new Map<string, string>();

/** Takes the secrets out of the environment: before the command, whether it needs them or not. */
export function takeSecrets(): void {
  taken.clear();
  for (const name of names) secretVariable(name);
}

/**
 * A variable with a secret, which is in `process.env` no longer: not in Node's diagnostic report, and not in that of a
 * process that this one starts.
 */
export function secretVariable(name: string): string | undefined {
  const given = process.env[name];
  if (given !== undefined) taken.set(name, given);
  delete process.env[name];
  return taken.get(name);
}

/** The environment as it was, for a command of the user's own that starts another wallet. */
export function wholeEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, ...Object.fromEntries(taken) };
}
