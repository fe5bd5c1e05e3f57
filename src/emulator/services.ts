import { acm } from './acm/index.ts'
import { acmPca } from './acm-pca/index.ts'
import { eks } from './eks/index.ts'
import { eksAuth } from './eks-auth/index.ts'
import { iam } from './iam/index.ts'
import { organizations } from './organizations/index.ts'
import { route53 } from './route53/index.ts'
import { s3 } from './s3/index.ts'
import type { Service } from './service.ts'
import { servicequotas } from './servicequotas/index.ts'
import { sns } from './sns/index.ts'
import { sqs } from './sqs/index.ts'
import { sts } from './sts/index.ts'
import { tagging } from './tagging/index.ts'

/** Every service that the emulator serves. */
export const allServices: readonly Service[] = [
  acm,
  acmPca,
  eks,
  eksAuth,
  iam,
  organizations,
  route53,
  s3,
  servicequotas,
  sns,
  sqs,
  sts,
  tagging,
]
