// Where a service differs from what its model and protocol say. Each deviation is a small named file; a service without one is
// handled by the general rules alone.

import type { ServiceModel } from '../../model/service-model.ts'
import type { Deviations } from './deviation.ts'
import { route53Deviations } from './route53.ts'
import { s3Deviations } from './s3.ts'

const none: Deviations = {}
/** Signed as S3 is: what the path escapes is not escaped again. */
const s3ControlDeviations: Deviations = { signing: { escapePath: false } }

export function deviationsOf({ id }: ServiceModel): Deviations {
  switch (id) {
    case 'S3':
      return s3Deviations
    case 'S3 Control':
      return s3ControlDeviations
    case 'Route 53':
      return route53Deviations
    default:
      return none
  }
}
