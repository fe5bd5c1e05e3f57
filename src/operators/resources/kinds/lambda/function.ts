// A function of Lambda: its code is asked for by the CRD and told by no read. One that is taken over keeps the code that it has.
import type { Deviation } from '../deviation.ts'

export const lambdaFunction: Deviation = {
  adoptedSpec: spec => ({ code: {}, ...spec }),
}
