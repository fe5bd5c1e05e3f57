// No answer of API Gateway tells an ARN, and its operations for tags ask for one. It follows from the ids, without an account in it.
import { textOf } from '../../model/convert.ts'
import type { Content } from '../../model/request.ts'
import type { Place } from '../../place/select-place.ts'
import type { Deviation } from '../deviation.ts'

type PathOf = (content: Content) => readonly unknown[]

function deviationAt(path: PathOf): Deviation {
  return {
    arnOf: (wanted, place) => arnIn(place, path(wanted)),
  }
}

/** Absent while AWS has not chosen an id that stands in it. */
function arnIn({ partition, region }: Place, path: readonly unknown[]): string | undefined {
  if (path.includes(undefined)) return undefined
  return `arn:${partition}:apigateway:${region}::/${path.map(textOf).join('/')}`
}

export const apiGatewayApi: Deviation = deviationAt(({ status }) => ['apis', status['apiID']])
export const apiGatewayStage: Deviation = deviationAt(({ spec }) => ['apis', spec['apiID'], 'stages', spec['stageName']])
export const apiGatewayVpcLink: Deviation = deviationAt(({ status }) => ['vpclinks', status['vpcLinkID']])
