/** Sets the value as the latest one. Beyond the limit, the one that was set longest ago is dropped. */
export function setLatest<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value ?? key);
}
