/** A mapping of the template, with its properties resolved one by one. */
export interface MappingReader {
  readonly logicalId: string;
  readonly read: (property: string) => unknown;
  /** @throws Problem for a property that is not one of these. */
  readonly allowOnly: (properties: ReadonlySet<string>) => void;
}
