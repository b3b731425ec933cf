// What stands in for the tracer that the page leaves out, see build.mjs.
module.exports = {};
