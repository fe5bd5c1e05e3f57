import type { Service } from './service.ts'

/** Every service that the emulator serves. */
export const allServices: readonly Service[] = []
