// A backup of a table: of which table it is stands in its ARN, and beside what the read tells of the backup itself.
import type { Deviation } from '../deviation.ts'

export const dynamodbBackup: Deviation = {
  adoptedSpec: (spec, { arn = '' }) => {
    const tableName = /:table\/([^/]+)\/backup\//.exec(arn)?.[1]
    return tableName === undefined ? spec : { ...spec, tableName }
  },
}
