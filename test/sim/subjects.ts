import type { Subject } from '#simulator'

/** Everything that `npm run sim` can drive, by name. */
export const subjects: Readonly<Record<string, Subject>> = {}
