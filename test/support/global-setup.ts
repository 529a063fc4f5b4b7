/** Jest global set-up, run once before the workers start. */
export default async function globalSetup(): Promise<void> {}
