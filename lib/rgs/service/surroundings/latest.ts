/** Sets the value as the latest one. The one that was set longest ago leaves for it, once there are so many. */
export function setLatest<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value ?? key);
}
