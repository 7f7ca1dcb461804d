package main

import (
	"fmt"
	"strings"
)

// How bash is given a text: it puts the name of a file that it runs in front of
// every message, and the number of the line. An evaluated text has neither name
// nor lines of its own, so that no path of ours is seen.
const longestEvaluated = 128 << 10

func canEvaluate(script string) bool {
	return len(script) <= longestEvaluated && strings.IndexByte(script, 0) < 0
}

func evaluate(path string) string { return `eval "$(<` + quote(path) + `)"` }

// comeBack is silent also under "set -x".
const comeBack = `{ builtin cd -- "$HERMES_PWD"; OLDPWD=$HERMES_OLDPWD; [ -n "$OLDPWD" ] || unset -v OLDPWD; unset -v HERMES_PWD HERMES_OLDPWD; } 2>/dev/null`

// canComeBack is false where the directory was removed or may not be entered.
const canComeBack = `[ -x . ] && [ . -ef "$PWD" ] && HERMES_PWD=$PWD && HERMES_OLDPWD=${OLDPWD-} && builtin cd -- %s`

// shortName is the name before the messages of a session's bash, which goes to
// its folder to source this file, and goes back in the file. It must not be a
// program's, since bash looks in the PATH first.
func (n *session) shortName() string { return fmt.Sprintf("session-%d", n.id) }

// The last lines say nothing under "set -x", and nothing of a descriptor that
// the command closed and that bash wants to put back.
func (n *session) shortText() string {
	return comeBack + "; " + evaluate(n.file("command")) + "\n" +
		"{ HERMES_STATUS=$? HERMES_SET=$-; set +x; } 2>&-\nexec 2>&-\nreturn \"${HERMES_STATUS:-0}\"\n"
}

// forgetLine undoes what the last lines left.
func (n *session) forgetLine() string {
	if n.name != "bash" {
		return "unset HERMES_STATUS"
	}
	return `case ${HERMES_SET-} in *x*) set -x ;; esac; unset -v HERMES_STATUS HERMES_SET`
}

func (n *session) sourceLines(assignments, where string, canEvaluate bool) string {
	whole := quote(n.file("command"))
	if n.name != "bash" {
		// An error in "." ends a POSIX shell, and variables set before it stay, unless it is run by "command".
		return assignments + "command . " + whole + " " + where
	}
	if !canEvaluate {
		return assignments + ". " + whole + " " + where
	}
	return "if " + fmt.Sprintf(canComeBack, quote(n.folder)) + "\nthen " + assignments + ". " + n.shortName() + " " + where +
		"else " + assignments + ". " + whole + " " + where + "fi\n"
}

// restoreLine serves a command that was stopped before it had gone back.
func (n *session) restoreLine() string {
	if n.name != "bash" {
		return ""
	}
	return "[ -z \"${HERMES_PWD-}\" ] || " + comeBack + "\n"
}
