import { documentLimits } from "../../../contract/limits.ts";
import { nameOfType } from "../../../http/request/body.ts";
import { FieldError, type Field, fileField } from "../../../http/fields/fields.ts";
import {
  boolean,
  checkLength,
  choice,
  integer,
  key,
  listOf,
  readText,
  text,
} from "../../../http/fields/field-kinds.ts";
import { pagesField } from "../pages/page-fields.ts";
import { memberFields, withDefaults } from "../record-members.ts";

/** Fields that only a new document takes. A change may contain them if they are empty. */
export const onlyForNew = {
  projects: refused("You may not update `projects` directly, please use the projects API"),
  file_url: refused("You may not update `file_url`"),
  delayed_index: refused("You may not update `delayed_index`"),
  force_ocr: refused("You may not update `force_ocr`"),
  ocr_engine: refused("You may not update `ocr_engine`"),
};

/** The fields that give a document to someone else, for those who may do that. */
export const ownerFields = {
  user: key({ label: "User", help: "The new owner: a member of one of your organizations" }),
  organization: key({ label: "Organization", help: "An organization that you belong to" }),
};

/** Options for processing a file. */
export const processFields = {
  force_ocr: boolean({ label: "Force OCR", help: "Recognise every page as an image, even if it has text" }),
  ocr_engine: choice(["tess4", "textract"], {
    label: "OCR engine",
    help: "Text is recognised with tess4 in either case",
  }),
};

/** Options for processing a file that is stored already. */
export const processStoredFields = {
  ...processFields,
  password: {
    type: "string",
    label: "Password",
    help: "For a PDF that needs one to open. It is used for this processing only and never stored",
    maxLength: documentLimits.password,
    read(value) {
      const read = readText(value);
      checkLength(read, documentLimits.password);
      return read;
    },
  } satisfies Field<string>,
};

const fileUrlField = fileUrl({
  label: "File URL",
  example: "https://example.org/minutes.pdf",
  help: "The address to fetch the file from, instead of uploading it",
});

const requiredTitle = { ...memberFields.title, required: true as const };

export const newFields = {
  ...withDefaults(memberFields),
  title: requiredTitle,
  projects: listOf(key({}), {
    default: [],
    label: "Projects",
    help: "Ids of projects in which you may edit documents",
  }),
  file_url: fileUrlField,
  force_ocr: { ...processFields.force_ocr, default: false },
  ocr_engine: { ...processFields.ocr_engine, needs: "file_url" },
};

/**
 * The fields of a PUT. Fields with a default here are reset if they are missing; all others stay. DocumentCloud resets
 * the extension too, which would separate a document from its file.
 */
export const replacedFields = {
  ...memberFields,
  title: requiredTitle,
  ...withDefaults({ access: memberFields.access, language: memberFields.language }),
  pages: pagesField,
  ...onlyForNew,
};

export const changedFields = { ...memberFields, pages: pagesField, ...onlyForNew };

/** The address of a file. The host that it resolves to is checked when connecting. */
function fileUrl(options: Partial<Field<string>>): Field<string> & { nullable: true } {
  return {
    type: "url",
    read(value) {
      const read = readText(value).trim();
      if (read === "") throw new FieldError("This field may not be blank.");
      if (/^ftps?:/i.test(read))
        throw new FieldError("Files are fetched from http:// and https:// addresses only.");
      if (!/^https?:\/\/[^\s\p{Cc}<>"]+$/iu.test(read) || !URL.canParse(read))
        throw new FieldError("Enter a valid URL.");
      const { username, password } = new URL(read);
      if (username !== "" || password !== "") {
        throw new FieldError("The address may not have a user name or a password in it.");
      }
      checkLength(read, 4096);
      return read;
    },
    ...options,
    nullable: true,
  };
}

function refused(message: string): Field<undefined> & { nullable: true } {
  return {
    type: "json",
    nullable: true,
    hidden: true,
    read(value) {
      const isNothing = !value || (Array.isArray(value) && value.length === 0);
      if (!isNothing) throw new FieldError(message);
      return undefined;
    },
  };
}

export const bulkIdsFields = {
  ids: listOf(integer({ schema: { format: "int64", minimum: 1 } }), {
    required: true,
    label: "Ids",
    example: [1],
  }),
};
export const bulkProcessItem = {
  id: integer({ required: true, schema: { format: "int64", minimum: 1 } }),
  ...processStoredFields,
};

/** The fields of a request that replaces the file of a document. */
export const replacementFields = {
  file: fileField,
  file_url: { ...fileUrlField, insteadOf: "file" },
  original_extension: {
    ...memberFields.original_extension,
    help: "The extension of the file, if its name does not have it",
  },
  ...processStoredFields,
};

/** The fields that a resumable upload may send instead of describing a new document. */
export const uploadFields = {
  document: key({ label: "Document", help: "The id of a document that has no file yet" }),
  replace: boolean({ label: "Replace", help: "The document may have a file, which is replaced" }),
};

/** The values of one key. Errors have the index of their value in a list, with `{}` for valid values. */
export const dataValues = {
  type: "list",
  item: text({}),
  read(value: unknown): string[] {
    if (!Array.isArray(value)) {
      const message = `Expected a list of items but got type "${nameOfType(value)}".`;
      throw FieldError.nested({ non_field_errors: [message] });
    }
    const errors: unknown[] = value.map(() => ({}));
    const read = value.map((item: unknown, index) => {
      try {
        return readDataValue(item);
      } catch (error) {
        if (!(error instanceof FieldError)) throw error;
        errors[index] = error.messages;
        return "";
      }
    });
    if (errors.some((messages) => Array.isArray(messages))) throw FieldError.nested(errors);
    return read;
  },
} satisfies Field<string[]>;

export const replacedDataFields = {
  values: { ...dataValues, required: true as const, label: "Values", example: ["budget"] },
};
export const addedDataFields = {
  values: { ...dataValues, label: "Values", example: ["budget"], help: "Values to add" },
  remove: { ...dataValues, label: "Remove", example: ["draft"], help: "Values to remove" },
};

function readDataValue(value: unknown): string {
  if (value === null) throw new FieldError("This field may not be null.");
  const read = readText(value).trim();
  if (read === "") throw new FieldError("This field may not be blank.");
  checkLength(read, 300);
  return read;
}
