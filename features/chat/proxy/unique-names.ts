/** Returns a function that gives each name once: a repeated `tides` is `tides_2`. */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    let unique = name;
    for (let number = 2; taken.has(unique); number++) unique = `${name}_${number}`;
    taken.add(unique);
    return unique;
  };
}
