// A version of a layer: its content is asked for by the CRD and told by no read. One that is taken over keeps the content that it has.
import type { Deviation } from '../deviation.ts'

export const lambdaLayerVersion: Deviation = {
  adoptedSpec: spec => ({ content: {}, ...spec }),
}
