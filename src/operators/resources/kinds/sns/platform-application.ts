// An application of a push service: which service that is stands in its ARN, and in no answer.
import type { Deviation } from '../deviation.ts'

export const snsPlatformApplication: Deviation = {
  adoptedSpec: (spec, { arn = '' }) => {
    const platform = arn.split('/').at(-2)
    return platform === undefined ? spec : { ...spec, platform }
  },
}
