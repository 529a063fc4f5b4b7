/** The functions that each option with functions must have. */
const methodsOf = {
  logger: ['info', 'warn', 'error'],
  clock: ['now', 'monotonicMs', 'pause', 'after'],
  random: ['next', 'bytes'],
} as const;

/** Options that are code: objects with functions, and functions. */
export type Ports = { readonly [name in keyof typeof methodsOf]?: unknown } & {
  readonly [name: string]: unknown;
};

/**
 * Checks the options that are code; one that is undefined is right.
 * @param maker The function whose options they are, such as `createRgsClient`.
 * @throws TypeError that names the wrong option.
 */
export function checkPorts(maker: string, ports: Ports): void {
  for (const [name, port] of Object.entries(ports)) {
    if (port === undefined) continue;
    if (Object.hasOwn(methodsOf, name)) {
      checkMethods(maker, name, port, methodsOf[name as keyof typeof methodsOf]);
    } else if (typeof port !== 'function') {
      throw new TypeError(`${maker}: ${name} must be a function`);
    }
  }
}

/** Checks an option with functions. @throws TypeError that names the option and the missing function. */
export function checkMethods(
  maker: string,
  name: string,
  value: unknown,
  methods: readonly string[],
): void {
  const object = Object(value) as Record<string, unknown>;
  for (const method of methods) {
    if (typeof object[method] === 'function') continue;
    throw new TypeError(`${maker}: ${name} must have a function ${method}`);
  }
}
