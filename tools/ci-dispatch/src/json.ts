export * from "@skein/reporting/json";
