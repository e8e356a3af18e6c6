#include "mediator/schema/obeyed_names.h"

#include "absl/strings/match.h"

namespace tipstaff::schema {
namespace {

using Match = ObeyedName::Match;

// What is here acts without being asked for by name: on opening a folder, entering it, checking it
// out, fetching or pushing it, starting a shell, an editor or an agent in it, or serving it. What
// acts only when someone names it or builds the project (Makefile, package.json, setup.py, source
// files) is not here: a permission to write source code is one to write what the build runs. Limit
// such a permission with `under` and `extensions`.
constexpr ObeyedName kRows[] = {
    // Version control, and what runs when it does.
    {".git", Match::kWhole, "git runs its hooks and the commands in its config"},
    {".gitattributes", Match::kWhole, "git runs filters by it"},
    {".gitmodules", Match::kWhole, "git fetches from where it says"},
    {".gitconfig", Match::kWhole, "git runs the commands in it"},
    {".githooks", Match::kWhole, "git runs what is in it"},
    {".hg", Match::kWhole, "mercurial runs its hooks"},
    {".hgrc", Match::kWhole, "mercurial runs the commands in it"},
    {".hgsub", Match::kWhole, "mercurial fetches from where it says"},
    {".svn", Match::kWhole, "subversion obeys it"},
    {".bzr", Match::kWhole, "bazaar obeys it"},
    {".jj", Match::kWhole, "jujutsu obeys it"},
    {".husky", Match::kWhole, "git runs the hooks in it"},
    {".lefthook", Match::kBeginning, "git hooks run the commands in it"},
    {"lefthook.y", Match::kBeginning, "git hooks run the commands in it"},
    {"lefthook-local.y", Match::kBeginning, "git hooks run the commands in it"},
    {".pre-commit-", Match::kBeginning, "git hooks run the commands in it"},
    {".overcommit.yml", Match::kWhole, "git hooks run the commands in it"},
    // Continuous integration, with the project's secrets.
    {".github", Match::kWhole, "its workflows run, and agents obey its instructions"},
    {".gitlab", Match::kWhole, "continuous integration obeys it"},
    {".gitlab-ci", Match::kBeginning, "continuous integration runs it"},
    {".gitea", Match::kWhole, "continuous integration runs its workflows"},
    {".forgejo", Match::kWhole, "continuous integration runs its workflows"},
    {".circleci", Match::kWhole, "continuous integration runs it"},
    {".buildkite", Match::kWhole, "continuous integration runs it"},
    {".woodpecker", Match::kBeginning, "continuous integration runs it"},
    {".travis.yml", Match::kWhole, "continuous integration runs it"},
    {".drone.yml", Match::kWhole, "continuous integration runs it"},
    {".cirrus.yml", Match::kWhole, "continuous integration runs it"},
    {".appveyor.yml", Match::kWhole, "continuous integration runs it"},
    {"appveyor.yml", Match::kWhole, "continuous integration runs it"},
    {"azure-pipelines", Match::kBeginning, "continuous integration runs it"},
    {".azure-pipelines", Match::kBeginning, "continuous integration runs it"},
    {"bitbucket-pipelines.yml", Match::kWhole, "continuous integration runs it"},
    {"jenkinsfile", Match::kBeginning, "continuous integration runs it"},
    // Editors and development containers.
    {".vscode", Match::kWhole, "the editor runs its tasks and settings"},
    {".idea", Match::kWhole, "the editor runs its tasks and settings"},
    {".vs", Match::kWhole, "the editor obeys it"},
    {".fleet", Match::kWhole, "the editor runs its tasks and settings"},
    {".zed", Match::kWhole, "the editor runs its tasks and settings"},
    {".nova", Match::kWhole, "the editor runs its tasks and settings"},
    {".vim", Match::kBeginning, "the editor runs it"},
    {".nvim", Match::kBeginning, "the editor runs it"},
    {".gvimrc", Match::kWhole, "the editor runs it"},
    {".exrc", Match::kWhole, "the editor runs it"},
    {".emacs", Match::kBeginning, "the editor runs it"},
    {".dir-locals", Match::kBeginning, "the editor evaluates it"},
    {".code-workspace", Match::kEnding, "the editor runs its tasks and settings"},
    {".sublime-project", Match::kEnding, "the editor runs its build systems"},
    {".devcontainer", Match::kBeginning, "the editor runs its commands"},
    {".gitpod", Match::kBeginning, "the workspace runs its commands"},
    // Agents and their tools.
    {"agents.md", Match::kWhole, "agents obey it"},
    {"agents.override.md", Match::kWhole, "agents obey it"},
    {"agent.md", Match::kWhole, "agents obey it"},
    {"claude.md", Match::kWhole, "agents obey it"},
    {"claude.local.md", Match::kWhole, "agents obey it"},
    {"gemini.md", Match::kWhole, "agents obey it"},
    {"qwen.md", Match::kWhole, "agents obey it"},
    {"warp.md", Match::kWhole, "agents obey it"},
    {"crush.md", Match::kWhole, "agents obey it"},
    {"skill.md", Match::kWhole, "agents obey it"},
    {"copilot-instructions.md", Match::kWhole, "agents obey it"},
    {".instructions.md", Match::kEnding, "agents obey it"},
    {".prompt.md", Match::kEnding, "agents obey it"},
    {".chatmode.md", Match::kEnding, "agents obey it"},
    {".agent.md", Match::kEnding, "agents obey it"},
    {".mdc", Match::kEnding, "agents obey it"},
    {".mcp", Match::kBeginning, "agents start the servers in it"},
    {"mcp.json", Match::kWhole, "agents start the servers in it"},
    {"opencode.json", Match::kBeginning, "agents obey it"},
    {"crush.json", Match::kWhole, "agents obey it"},
    {".agent", Match::kBeginning, "agents obey it"},
    {".aider", Match::kBeginning, "agents obey it"},
    {".amazonq", Match::kBeginning, "agents obey it"},
    {".augment", Match::kBeginning, "agents obey it"},
    {".claude", Match::kBeginning, "agents obey it and run its hooks"},
    {".cline", Match::kBeginning, "agents obey it"},
    {".codex", Match::kBeginning, "agents obey it"},
    {".continue", Match::kBeginning, "agents obey it"},
    {".copilot", Match::kBeginning, "agents obey it"},
    {".crush", Match::kBeginning, "agents obey it"},
    {".cursor", Match::kBeginning, "agents obey it"},
    {".factory", Match::kWhole, "agents obey it"},
    {".gemini", Match::kBeginning, "agents obey it"},
    {".goose", Match::kBeginning, "agents obey it"},
    {".junie", Match::kBeginning, "agents obey it"},
    {".kilocode", Match::kBeginning, "agents obey it"},
    {".kiro", Match::kBeginning, "agents obey it and run its hooks"},
    {".openhands", Match::kBeginning, "agents obey it and run its setup"},
    {".opencode", Match::kBeginning, "agents obey it"},
    {".qwen", Match::kBeginning, "agents obey it"},
    {".roo", Match::kBeginning, "agents obey it"},
    {".rules", Match::kWhole, "agents obey it"},
    {".trae", Match::kBeginning, "agents obey it"},
    {".warp", Match::kBeginning, "agents obey it"},
    {".windsurf", Match::kBeginning, "agents obey it"},
    // Shells and what they enter, terminals, debuggers, interpreters.
    {".env", Match::kBeginning, "tools load it into their environment, and it holds secrets"},
    {".direnv", Match::kWhole, "the shell loads it on entering the folder"},
    {".tool-versions", Match::kWhole, "version managers run what it names"},
    {".mise", Match::kBeginning, "version managers run the commands in it"},
    {"mise.toml", Match::kWhole, "version managers run the commands in it"},
    {"mise.local.toml", Match::kWhole, "version managers run the commands in it"},
    {".bash", Match::kBeginning, "the shell runs it"},
    {".zsh", Match::kBeginning, "the shell runs it"},
    {".zprofile", Match::kWhole, "the shell runs it"},
    {".zlog", Match::kBeginning, "the shell runs it"},
    {".profile", Match::kWhole, "the shell runs it"},
    {".login", Match::kWhole, "the shell runs it"},
    {".logout", Match::kWhole, "the shell runs it"},
    {".kshrc", Match::kWhole, "the shell runs it"},
    {".mkshrc", Match::kWhole, "the shell runs it"},
    {".cshrc", Match::kWhole, "the shell runs it"},
    {".tcshrc", Match::kWhole, "the shell runs it"},
    {".inputrc", Match::kWhole, "the shell runs it"},
    {".xinitrc", Match::kWhole, "the desktop runs it"},
    {".xsession", Match::kBeginning, "the desktop runs it"},
    {".xprofile", Match::kWhole, "the desktop runs it"},
    {".screenrc", Match::kWhole, "the terminal runs it"},
    {".tmux", Match::kBeginning, "the terminal runs it"},
    {".gdbinit", Match::kWhole, "the debugger runs it"},
    {".lldbinit", Match::kBeginning, "the debugger runs it"},
    {".pythonrc", Match::kBeginning, "the interpreter runs it"},
    {".pythonstartup", Match::kWhole, "the interpreter runs it"},
    {"sitecustomize.py", Match::kWhole, "the interpreter runs it"},
    {"usercustomize.py", Match::kWhole, "the interpreter runs it"},
    {".pth", Match::kEnding, "the interpreter runs it"},
    {".pdbrc", Match::kBeginning, "the debugger runs it"},
    {".irbrc", Match::kWhole, "the interpreter runs it"},
    {".pryrc", Match::kWhole, "the interpreter runs it"},
    {".rprofile", Match::kWhole, "the interpreter runs it"},
    {".renviron", Match::kWhole, "the interpreter loads it"},
    {".perldb", Match::kWhole, "the debugger runs it"},
    // Package managers and clients: where they fetch from, with which credentials, what they run.
    {".npmrc", Match::kWhole, "npm obeys it and it holds credentials"},
    {".yarn", Match::kBeginning, "yarn runs what it names"},
    {".pnpmfile", Match::kBeginning, "pnpm runs it"},
    {".pnp.", Match::kBeginning, "node runs it"},
    {".pypirc", Match::kWhole, "it holds credentials"},
    {".pip", Match::kWhole, "pip obeys it"},
    {"pip.conf", Match::kWhole, "pip obeys it"},
    {"pip.ini", Match::kWhole, "pip obeys it"},
    {".cargo", Match::kWhole, "cargo runs what it names"},
    {".bundle", Match::kWhole, "bundler obeys it"},
    {".gemrc", Match::kWhole, "gem obeys it"},
    {".condarc", Match::kWhole, "conda obeys it"},
    {".mvn", Match::kWhole, "maven runs what it names"},
    {".bazelrc", Match::kWhole, "bazel obeys it"},
    {".ssh", Match::kWhole, "ssh obeys it and it holds keys"},
    {".gnupg", Match::kWhole, "it holds keys"},
    {".aws", Match::kWhole, "it holds credentials and commands"},
    {".azure", Match::kWhole, "it holds credentials"},
    {".kube", Match::kWhole, "it holds credentials and commands"},
    {".docker", Match::kWhole, "it holds credentials and commands"},
    {".dockercfg", Match::kWhole, "it holds credentials"},
    {".config", Match::kWhole, "programs obey the settings in it"},
    {".local", Match::kWhole, "programs run what is in it"},
    {".netrc", Match::kWhole, "it holds credentials"},
    {"_netrc", Match::kWhole, "it holds credentials"},
    {".curlrc", Match::kWhole, "curl obeys it"},
    {"_curlrc", Match::kWhole, "curl obeys it"},
    {".wgetrc", Match::kWhole, "wget obeys it"},
    {"_vimrc", Match::kWhole, "the editor runs it"},
    {"_gvimrc", Match::kWhole, "the editor runs it"},
    // Mail, remote login, web servers, desktops.
    {".forward", Match::kWhole, "the mailer runs the commands in it"},
    {".procmailrc", Match::kWhole, "the mailer runs the commands in it"},
    {".mailcap", Match::kWhole, "mail readers run the commands in it"},
    {".rhosts", Match::kWhole, "it lets others log in"},
    {".shosts", Match::kWhole, "it lets others log in"},
    {".pam_environment", Match::kWhole, "logging in loads it"},
    {".htaccess", Match::kWhole, "the web server obeys it"},
    {".htpasswd", Match::kWhole, "it holds credentials"},
    {".user.ini", Match::kWhole, "the web server runs what it names"},
    {"web.config", Match::kWhole, "the web server obeys it"},
    {"autorun.inf", Match::kWhole, "windows runs what it names"},
    {"desktop.ini", Match::kWhole, "windows obeys it"},
    {".desktop", Match::kEnding, "the desktop runs it"},
    {".lnk", Match::kEnding, "windows follows it"},
    {".scf", Match::kEnding, "windows follows it"},
    {".url", Match::kEnding, "the desktop follows it"},
};

bool FallsUnder(absl::string_view part, const ObeyedName& row) {
  switch (row.match) {
    case Match::kWhole:
      return part == row.name;
    case Match::kBeginning:
      return absl::StartsWith(part, row.name);
    case Match::kEnding:
      return absl::EndsWith(part, row.name);
  }
  return true;
}

}  // namespace

const ObeyedName* FindObeyedName(absl::string_view folded) {
  for (const ObeyedName& row : kRows) {
    if (FallsUnder(folded, row)) return &row;
  }
  return nullptr;
}

}  // namespace tipstaff::schema
