import { acm } from './acm/index.ts'
import { eks } from './eks/index.ts'
import { route53 } from './route53/index.ts'
import { s3 } from './s3/index.ts'
import type { Service } from './service.ts'

/** Every service that the emulator serves. */
export const allServices: readonly Service[] = [acm, eks, route53, s3] as readonly Service[]
