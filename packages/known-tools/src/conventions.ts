/**
 * Packages of frameworks and generators that load files of other packages from fixed places, without any setting that names
 * them: an Ember add-on's `addon/`, a Gatsby plug-in's `gatsby-node.js`, a Grunt plug-in's `tasks/`, a Yeoman generator's
 * `generators/`, the pages of Next.js. A package with such a name, or with such a dependency, may be used in ways that no
 * file shows.
 */
export const LOADED_BY_CONVENTION =
  /^(?:@(?:angular|astrojs|docusaurus|ember|embroider|expo|gatsbyjs|nuxt|redwoodjs|remix-run|react-router|storybook|strapi|sveltejs|vuepress)\/.*|(?:@[^/]+\/)?(?:astro|cordova|docusaurus|ember|expo|fumadocs|gatsby|generator|grunt|hexo|hubot|hygen|metalsmith|moleculer|nativescript|next|nextra|nuxt|nuxt3|plop|redwood|sails|storybook|strapi|vitepress|vuepress|yeoman)(?:-.*)?)$/;
