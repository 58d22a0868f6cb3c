import { reasonLimits } from "./limits.ts";
import { type Static, Type, enumeration, nullable, pageNumber } from "./shape.ts";

const code = Type.String({ maxLength: reasonLimits.code, description: "as the box shows it" });
const label = Type.String({ maxLength: reasonLimits.label, description: "what it means" });

/** A reason that an administrator has added. */
export const OwnReason = Type.Object({ code, label }, { $id: "OwnRedactionReason" });
export type OwnReason = Static<typeof OwnReason>;

/** A reason for a redaction. */
export const RedactionReason = Type.Object(
  { code, label, set: enumeration(["gdpr", "foia", "own"], "`own`: added by an administrator") },
  { $id: "RedactionReason" },
);
export type RedactionReason = Static<typeof RedactionReason>;

const edge = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

/** What redactions have withheld on a page for one reason. */
export const Withheld = Type.Object(
  {
    page_number: pageNumber(),
    reason: nullable(Type.String({ description: "the code of the reason; null if none was given" })),
    label: nullable(Type.String({ description: "what the code meant at that time" })),
    boxes: Type.Array(
      Type.Object({
        x1: edge("left edge, as a fraction of the page's width"),
        x2: edge("right edge"),
        y1: edge("upper edge, as a fraction of the page's height"),
        y2: edge("lower edge"),
      }),
    ),
  },
  { $id: "Withheld" },
);
export type Withheld = Static<typeof Withheld>;
