package main

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// shell is a command for the shell. It gets its line as it stands: cmd's quoting isn't that of other programs.
func shell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /s /c "` + command + `"`}
	return cmd
}

// killGroup kills a command and what it has started, as long as it hasn't ended.
func killGroup(cmd *exec.Cmd) error {
	if cmd.ProcessState != nil {
		return os.ErrProcessDone
	}
	if err := exec.Command("taskkill", "/t", "/f", "/pid", strconv.Itoa(cmd.Process.Pid)).Run(); err != nil {
		return cmd.Process.Kill()
	}
	return nil
}

func exitCode(state *os.ProcessState) int { return state.ExitCode() }
