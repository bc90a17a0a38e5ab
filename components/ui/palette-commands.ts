import { useEffect, useRef } from 'react';

/** Something to do that has no key, for the palette. */
export interface PaletteCommand {
  /** A verb and its object. */
  readonly title: string;
  readonly run: () => void;
}

const mounted = new Set<{ readonly current: () => readonly PaletteCommand[] }>();

/** Every command that can be given now. */
export function activeCommands(): readonly PaletteCommand[] {
  return [...mounted].flatMap(({ current }) => current());
}

/** Puts commands into the palette while the component is mounted. They are asked for when it opens. */
export function usePaletteCommands(commands: () => readonly PaletteCommand[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    mounted.add(latest);
    return () => void mounted.delete(latest);
  }, []);
}
