import { acm } from './acm/index.ts'
import { eks } from './eks/index.ts'
import { iam } from './iam/index.ts'
import { route53 } from './route53/index.ts'
import { s3 } from './s3/index.ts'
import type { Service } from './service.ts'
import { sts } from './sts/index.ts'

/** Every service that the emulator serves. */
export const allServices: readonly Service[] = [acm, eks, iam, route53, s3, sts]
