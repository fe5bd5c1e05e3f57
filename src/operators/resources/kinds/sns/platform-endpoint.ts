// A device that an application pushes to: which application that is stands in its ARN, and in no answer.
import type { Deviation } from '../deviation.ts'

export const snsPlatformEndpoint: Deviation = {
  adoptedSpec: (spec, { arn = '' }) => {
    const platformApplicationARN = arn.replace(/:endpoint\//, ':app/').replace(/\/[^/]*$/, '')
    return { ...spec, platformApplicationARN }
  },
}
