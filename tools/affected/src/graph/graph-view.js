export {};
//# sourceMappingURL=graph-view.js.map
