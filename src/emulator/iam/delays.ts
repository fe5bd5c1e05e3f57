// How late what IAM wrote is seen, and how long it takes.
import { type Delay, seconds } from '../delays.ts'

export const iamDelays: Readonly<Record<'iam' | 'serviceLinkedRoleDeletion', Delay>> = {
  /** IAM objects as authorisation, STS, EKS and "principal exists" see them. */
  iam: { name: 'iam', demo: seconds(0.5), async: seconds(4, 12) },
  serviceLinkedRoleDeletion: { name: 'serviceLinkedRoleDeletion', demo: seconds(1), async: seconds(5, 20) },
}
